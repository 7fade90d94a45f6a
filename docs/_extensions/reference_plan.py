"""Which page of the reference has which names: ``minigrad``'s own by subject, those of its modules by module."""

#: Page -> (title, patterns of the modules in which a function of ``minigrad`` itself is written); the first that fits has it.
SUBJECTS = {
    "torch_creation": (
        "torch: making tensors",
        "_ops.create _ops.from_data _ops.ranges _ops.dlpack _ops.mapped_files _sparse.construct _ops.windows",
    ),
    "torch_shapes": (
        "torch: shapes, joining, indexing",
        "_ops.arrange _ops.convert _ops.gather _ops.index* _ops.join _ops.masks _ops.nonzero _ops.part_scatter _ops.parts _ops.permute _ops.scatter _ops.shape _ops.split "
        "_ops.strided _ops.take _ops.view_copies",
    ),
    "torch_elementwise": (
        "torch: elementwise functions",
        "_ops.activation _ops.arithmetic _ops.choose _ops.compare _ops.complex _ops.error_function _ops.float_parts _ops.powers _ops.rounding _ops.special _ops.ternary "
        "_ops.transcendental",
    ),
    "torch_reductions": (
        "torch: reductions, sorting, counting",
        "_ops.bins _ops.cumulative _ops.hashing _ops.moments _ops.order_statistics _ops.reduce _ops.softmax _ops.sorting",
    ),
    "torch_linear_algebra": (
        "torch: products, matrices, transforms",
        "_lobpcg _ops.addmm _ops.distance _ops.einsum _ops.linalg* _ops.matmul _ops.spectral _sparse.products",
    ),
    "torch_networks": (
        "torch: functions for networks",
        "_ops.avg_pooling _ops.convolution _ops.ctc _ops.dropout _ops.embedding _ops.image _ops.loss* _ops.margin_loss _ops.max_pooling _ops.normalize _ops.padding "
        "_ops.recurrent",
    ),
    "torch_random": ("torch: random numbers", "_ops.random"),
    "torch": ("torch: gradients, files, settings", "*"),
}

#: (caption, pages): page -> (title, patterns of the modules whose names it has).
MODULES = [
    (
        "Networks",
        {
            "nn": ("nn", "nn nn.modules nn.modules.* nn.parameter nn.grad nn.cpp"),
            "nn_functional": ("nn.functional", "nn.functional"),
            "nn_init": ("nn.init", "nn.init"),
            "nn_attention": ("nn.attention", "nn.attention nn.attention.*"),
            "nn_parallel": ("nn.parallel", "nn.parallel nn.parallel.*"),
            "nn_utils": ("nn.utils", "nn.utils nn.utils.*"),
            "optim": ("optim", "optim optim.*"),
            "distributions": ("distributions", "distributions distributions.*"),
        },
    ),
    (
        "Derivatives",
        {
            "autograd": ("autograd", "autograd autograd.*"),
            "func": ("func", "func func.*"),
        },
    ),
    (
        "Mathematics",
        {
            "linalg": ("linalg", "linalg linalg.*"),
            "fft": ("fft", "fft fft.*"),
            "special": ("special", "special"),
            "signal": ("signal", "signal signal.*"),
            "sparse": ("sparse", "sparse sparse.*"),
            "masked": ("masked", "masked masked.*"),
        },
    ),
    (
        "Data, files, tools",
        {
            "utils_data": ("utils.data", "utils.data utils.data.*"),
            "utils": ("utils", "utils utils.*"),
            "serialization": ("serialization, hub, onnx", "serialization hub onnx onnx.*"),
            "profiler": ("profiler", "profiler profiler.*"),
            "viz": ("viz", "viz viz.*"),
            "testing": ("testing", "testing testing.*"),
        },
    ),
    (
        "Programs",
        {
            "fx": ("fx", "fx fx.*"),
            "programs": ("compiler, export, jit", "compiler compiler.* export export.* jit jit.*"),
            "library": ("library, ops, overrides", "library library.* ops ops.* overrides"),
            "distributed": ("distributed", "distributed distributed.*"),
            "multiprocessing": ("multiprocessing, futures", "multiprocessing multiprocessing.* futures"),
        },
    ),
    (
        "Machine and settings",
        {
            "amp": ("amp", "amp amp.*"),
            "backends": ("backends", "backends backends.*"),
            "devices": (
                "accelerator, cpu, cuda, mps, mtia, xpu",
                "accelerator cpu cpu.* cuda cuda.* mps mps.* mtia mtia.* xpu xpu.*",
            ),
            "rest": ("random, types, versions", "*"),
        },
    ),
]

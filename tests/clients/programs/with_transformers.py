"""A small GPT-2 and a small BERT from their configurations: losses, steps of AdamW, generation, saving and loading."""

import tempfile

import torch
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    get_linear_schedule_with_warmup,
    set_seed,
)

set_seed(0)
config = GPT2Config(
    vocab_size=64,
    n_positions=32,
    n_embd=32,
    n_layer=2,
    n_head=4,
    bos_token_id=1,
    eos_token_id=2,
    pad_token_id=0,
)
model = GPT2LMHeadModel(config)
print(sum(p.numel() for p in model.parameters()))
tokens = torch.randint(3, 64, (4, 16))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.01)
schedule = get_linear_schedule_with_warmup(optimizer, 2, 8)
for step in range(8):
    result = model(input_ids=tokens, labels=tokens)
    result.loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    optimizer.zero_grad()
    print(step, f"{result.loss.item():.4f} {norm.item():.3f}", result.logits.shape)

model.eval()
ask = tokens[:2, :4]
mask = torch.ones_like(ask)
print(model.generate(ask, attention_mask=mask, max_new_tokens=8, do_sample=False))
print(model.generate(ask, attention_mask=mask, max_new_tokens=6, num_beams=3, do_sample=False))
set_seed(1)
print(model.generate(ask, attention_mask=mask, max_new_tokens=6, do_sample=True, top_k=8, temperature=0.7))

with tempfile.TemporaryDirectory() as folder:
    model.save_pretrained(folder)
    again = GPT2LMHeadModel.from_pretrained(folder).eval()
    with torch.no_grad():
        print(torch.equal(model(tokens).logits, again(tokens).logits))

small = {
    "vocab_size": 64,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
}
bert = BertForSequenceClassification(BertConfig(**small, max_position_embeddings=32, num_labels=3)).eval()
padding = torch.ones_like(tokens)
padding[1, 10:] = 0
result = bert(tokens, attention_mask=padding, labels=torch.tensor([0, 1, 2, 0]), output_hidden_states=True)
result.loss.backward()
print(
    f"{result.loss.item():.5f}",
    len(result.hidden_states),
    f"{bert.bert.embeddings.word_embeddings.weight.grad.norm().item():.4f}",
)

llama = LlamaForCausalLM(
    LlamaConfig(**small, num_key_value_heads=2, max_position_embeddings=32, pad_token_id=0)
).eval()
result = llama(tokens, labels=tokens)
result.loss.backward()
print(f"{result.loss.item():.5f}", f"{llama.model.layers[0].self_attn.q_proj.weight.grad.norm().item():.4f}")
print(llama.generate(ask, attention_mask=mask, max_new_tokens=6, do_sample=False))

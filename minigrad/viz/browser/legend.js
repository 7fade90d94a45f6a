"use strict";

/** The legend: it explains what there is to be seen, and nothing else. */
function showLegend({ nodes, groups }, replaying) {
  const states = nodes.map(nodeGradientState);
  const count = (found) => (found > 1 ? ` (${found})` : "");
  const nans = states.filter((state) => state === "nan").length;
  const zeros = states.filter((state) => state === "zero").length;
  const overwritten = nodes.filter((node) => node.saved.some(isOverwritten)).length;
  const keys = [
    [nodes.some((node) => node.kind === "root"), "root", "result"],
    [nodes.some((node) => node.kind === "op"), "op", "operation"],
    [nodes.some((node) => node.kind === "leaf"), "leaf", "leaf"],
    [groups.size > 0, "folded", "folded module"],
    [nans > 0, "nan", `gradient with NaN or ∞${count(nans)}`],
    [zeros > 0, "zero", `gradient all zeros${count(zeros)}`],
    [overwritten > 0, "badge", `saved tensor written to since${count(overwritten)}`],
    [replaying, "done", "done"],
  ];
  const shown = keys.filter(([there]) => there);
  byId("legend").hidden = !shown.length;
  byId("legend").replaceChildren(
    ...shown.map(([, look, text]) =>
      make(
        "span",
        { class: "key" },
        make("span", { class: `swatch ${look}` }, look === "badge" ? "!" : ""),
        text,
      ),
    ),
  );
}

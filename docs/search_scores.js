/* How the search orders what it finds: names before prose, and of names those with the fewest dots, so that minigrad.softmax is before minigrad.masked.softmax. */
var Scorer = {
  score: (result) => {
    const [, title, , , score] = result;
    return /^minigrad\.\S+$/.test(title) ? score + 20 - title.split(".").length : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

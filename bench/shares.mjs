const OTHER = 'other';
const LEAST_SHARE = 0.005;

/** Who took how much of the time by itself, the greatest share first; the smallest are one. */
export function sharesOf(frames) {
  const samples = new Map();
  addSelf(frames, samples);
  const all = [...samples].map(([who, count]) => ({ who, share: count / frames.total }));
  const named = all.filter(({ share }) => share >= LEAST_SHARE).sort((left, right) => right.share - left.share);
  return [...named, { who: OTHER, share: 1 - named.reduce((sum, { share }) => sum + share, 0) }];
}

function addSelf({ who, self, children }, samples) {
  if (self > 0) samples.set(who, (samples.get(who) ?? 0) + self);
  for (const child of children.values()) addSelf(child, samples);
}

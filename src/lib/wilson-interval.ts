/**
 * The upper bound of Wilson's score interval for a share: `hits` of `total` were observed, and the
 * bound is `z` standard errors away. 1 if there are no observations. E. B. Wilson, J. Am. Stat.
 * Assoc. 22 (1927) 209; the form of R. G. Newcombe, Stat. Med. 17 (1998) 857.
 */
export function wilsonUpper(hits: number, total: number, z: number): number {
  return total === 0 ? 1 : wilsonEnd(hits, total, z);
}

/** The lower bound; 0 if there are no observations. */
export function wilsonLower(hits: number, total: number, z: number): number {
  return total === 0 ? 0 : wilsonEnd(hits, total, -z);
}

function wilsonEnd(hits: number, total: number, z: number): number {
  const share = hits / total;
  const square = z * z;
  const spread = z * Math.sqrt((share * (1 - share)) / total + square / (4 * total * total));
  const end = (share + square / (2 * total) + spread) / (1 + square / total);
  return Math.min(1, Math.max(0, end));
}

/** Folds of labelled posts for cross-validation, in which near-duplicates are together. */
import { SignatureIndex } from '../src/social/copies/signature-index.ts';
import { textSignature } from '../src/social/copies/text-signature.ts';
import { drawsFrom } from './draws.ts';

/** For each post the number of its group. */
export type Groups = readonly number[];

/** Posts that differ only in links, names, numbers and signs are one group. */
export function groupsByWords(texts: readonly string[]): Groups {
  const groups = new Map<string, number>();
  return texts.map((text) => {
    const key = text
      .toLowerCase()
      .replace(/https?:\S+|[@$#]\w+/g, ' ')
      .replace(/[^a-z]+/g, ' ')
      .trim();
    const group = groups.get(key) ?? groups.size;
    groups.set(key, group);
    return group;
  });
}

/** Posts that a chain of near-duplicates connects are one group: templates are held out whole. */
export function groupsBySimilarity(texts: readonly string[]): Groups {
  const index = new SignatureIndex(texts.length);
  const parents = texts.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root] as number;
    parents[at] = root;
    return root;
  };
  const posts: number[] = [];
  texts.forEach((text, at) => {
    const signature = textSignature(text);
    if (signature === null) return;
    for (const entry of index.similar(signature)) {
      parents[rootOf(posts[entry] as number)] = rootOf(at);
    }
    posts[index.add(signature)] = at;
  });
  return texts.map((_, at) => rootOf(at));
}

/** For each post its fold, 0 to `folds` − 1, drawn by group. */
export function foldsOf(groups: Groups, folds: number, seed: number): number[] {
  const draw = drawsFrom(seed);
  const drawn = new Map<number, number>();
  return groups.map((group) => {
    const fold = drawn.get(group) ?? draw(folds);
    drawn.set(group, fold);
    return fold;
  });
}

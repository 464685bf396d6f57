import { HOLDER_FLAG, HOLDER_LAYOUT, type HolderRows, hasFlag } from './holder-row.ts';

/**
 * Balance parameters of the tree: the integers proven correct by Hirai and Yamamoto, "Balancing
 * weight-balanced trees", 2011.
 */
const DELTA = 3;
const GAMMA = 2;

const { left, right, size, excludedSize } = HOLDER_LAYOUT.fields;

/** A link to a node is its row plus one, 0 for none. */
export function leftOf(rows: HolderRows, link: number): number {
  return rows.number(link - 1, left);
}

export function rightOf(rows: HolderRows, link: number): number {
  return rows.number(link - 1, right);
}

/** Nodes under a link, including it. */
export function sizeOf(rows: HolderRows, link: number): number {
  return link === 0 ? 0 : rows.number(link - 1, size);
}

/** Nodes under a link that are not excluded. */
export function countedOf(rows: HolderRows, link: number): number {
  return sizeOf(rows, link) - excludedOf(rows, link);
}

/** The first node under a link, 0 for none. */
export function firstOf(rows: HolderRows, link: number): number {
  let first = link;
  for (let at = link; at !== 0; at = leftOf(rows, at)) first = at;
  return first;
}

/** The last node under a link, 0 for none. */
export function lastOf(rows: HolderRows, link: number): number {
  let last = link;
  for (let at = link; at !== 0; at = rightOf(rows, at)) last = at;
  return last;
}

/** Adds a child on a side of a node where it has none. */
export function addChild(rows: HolderRows, parent: number, link: number, isLeft: boolean): void {
  rows.setNumber(parent - 1, isLeft ? left : right, link);
}

/** Replaces a child of a node. */
export function replaceChild(rows: HolderRows, parent: number, from: number, to: number): void {
  rows.setNumber(parent - 1, leftOf(rows, parent) === from ? left : right, to);
}

/** Makes a row a node without children. */
export function resetNode(rows: HolderRows, link: number): void {
  rows.setNumber(link - 1, left, 0);
  rows.setNumber(link - 1, right, 0);
  count(rows, link);
}

/** Gives a node the children and counts of the node that it replaces. */
export function replaceNode(rows: HolderRows, from: number, to: number): void {
  for (const field of [left, right, size, excludedSize]) {
    rows.setNumber(to - 1, field, rows.number(from - 1, field));
  }
}

/** Adds to the counts of a node, and returns the number of nodes under it. */
export function resized(
  rows: HolderRows,
  link: number,
  { nodes, excluded }: { readonly nodes: number; readonly excluded: number },
): number {
  const view = rows.changing(link - 1);
  const start = rows.startOf(link - 1);
  const total = view.getUint32(start + size.offset, true) + nodes;
  view.setUint32(start + size.offset, total, true);
  if (excluded !== 0) {
    const at = start + excludedSize.offset;
    view.setUint32(at, view.getUint32(at, true) + excluded, true);
  }
  return total;
}

/** Whether the numbers of nodes on the two sides of a node require a rotation. */
export function isUnbalanced(one: number, other: number): boolean {
  return one + 1 > DELTA * (other + 1) || other + 1 > DELTA * (one + 1);
}

/**
 * Rotates a node whose sides are unbalanced since one of them grew or shrank by one. Returns the
 * node that takes its place.
 */
export function rotated(rows: HolderRows, link: number): number {
  const leftLink = leftOf(rows, link);
  const rightLink = rightOf(rows, link);
  if (sizeOf(rows, rightLink) > sizeOf(rows, leftLink)) {
    const inner = sizeOf(rows, leftOf(rows, rightLink)) + 1;
    const outer = sizeOf(rows, rightOf(rows, rightLink)) + 1;
    if (inner >= GAMMA * outer) rows.setNumber(link - 1, right, rotatedRight(rows, rightLink));
    return rotatedLeft(rows, link);
  }
  const inner = sizeOf(rows, rightOf(rows, leftLink)) + 1;
  const outer = sizeOf(rows, leftOf(rows, leftLink)) + 1;
  if (inner >= GAMMA * outer) rows.setNumber(link - 1, left, rotatedLeft(rows, leftLink));
  return rotatedRight(rows, link);
}

function rotatedLeft(rows: HolderRows, link: number): number {
  const top = rightOf(rows, link);
  rows.setNumber(link - 1, right, leftOf(rows, top));
  rows.setNumber(top - 1, left, link);
  count(rows, link);
  count(rows, top);
  return top;
}

function rotatedRight(rows: HolderRows, link: number): number {
  const top = leftOf(rows, link);
  rows.setNumber(link - 1, left, rightOf(rows, top));
  rows.setNumber(top - 1, right, link);
  count(rows, link);
  count(rows, top);
  return top;
}

/** Counts the nodes under a node from those of its children. */
function count(rows: HolderRows, link: number): void {
  const [leftLink, rightLink] = [leftOf(rows, link), rightOf(rows, link)];
  rows.setNumber(link - 1, size, sizeOf(rows, leftLink) + sizeOf(rows, rightLink) + 1);
  const below = excludedOf(rows, leftLink) + excludedOf(rows, rightLink);
  rows.setNumber(link - 1, excludedSize, below + ownExcluded(rows, link));
}

/** Excluded nodes under a link, including it. */
function excludedOf(rows: HolderRows, link: number): number {
  return link === 0 ? 0 : rows.number(link - 1, excludedSize);
}

/** 1 for the node of an excluded owner, else 0. */
export function ownExcluded(rows: HolderRows, link: number): number {
  return hasFlag(rows, link - 1, HOLDER_FLAG.excluded) ? 1 : 0;
}

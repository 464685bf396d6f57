import type { Field } from '../../lib/row-layout.ts';
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
  if (link === 0) return 0;
  return rows.number(link - 1, size) - rows.number(link - 1, excludedSize);
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

/** Gives a node the children of another one. */
export function takeChildren(rows: HolderRows, link: number, from: number): void {
  rows.setNumber(link - 1, left, leftOf(rows, from));
  rows.setNumber(link - 1, right, rightOf(rows, from));
}

/** Makes a row a node without children. */
export function resetNode(rows: HolderRows, link: number): void {
  rows.setNumber(link - 1, left, 0);
  rows.setNumber(link - 1, right, 0);
  recount(rows, link);
}

/**
 * Rebalances a node of which one side grew or shrank by one, and counts its nodes. Returns the node
 * that takes its place.
 */
export function rebalanced(rows: HolderRows, link: number): number {
  const leftLink = leftOf(rows, link);
  const rightLink = rightOf(rows, link);
  const leftWeight = sizeOf(rows, leftLink) + 1;
  const rightWeight = sizeOf(rows, rightLink) + 1;
  if (rightWeight > DELTA * leftWeight) {
    const inner = sizeOf(rows, leftOf(rows, rightLink)) + 1;
    const outer = sizeOf(rows, rightOf(rows, rightLink)) + 1;
    if (inner >= GAMMA * outer) put(rows, link, right, rotatedRight(rows, rightLink));
    return rotatedLeft(rows, link);
  }
  if (leftWeight > DELTA * rightWeight) {
    const inner = sizeOf(rows, rightOf(rows, leftLink)) + 1;
    const outer = sizeOf(rows, leftOf(rows, leftLink)) + 1;
    if (inner >= GAMMA * outer) put(rows, link, left, rotatedLeft(rows, leftLink));
    return rotatedRight(rows, link);
  }
  recount(rows, link);
  return link;
}

function rotatedLeft(rows: HolderRows, link: number): number {
  const top = rightOf(rows, link);
  put(rows, link, right, leftOf(rows, top));
  put(rows, top, left, link);
  recount(rows, link);
  recount(rows, top);
  return top;
}

function rotatedRight(rows: HolderRows, link: number): number {
  const top = leftOf(rows, link);
  put(rows, link, left, rightOf(rows, top));
  put(rows, top, right, link);
  recount(rows, link);
  recount(rows, top);
  return top;
}

/** Writes only what differs: a row that is not written needs no copy for an undo. */
function recount(rows: HolderRows, link: number): void {
  const [leftLink, rightLink] = [leftOf(rows, link), rightOf(rows, link)];
  put(rows, link, size, sizeOf(rows, leftLink) + sizeOf(rows, rightLink) + 1);
  const own = hasFlag(rows, link - 1, HOLDER_FLAG.excluded) ? 1 : 0;
  const below = excludedOf(rows, leftLink) + excludedOf(rows, rightLink);
  put(rows, link, excludedSize, below + own);
}

function excludedOf(rows: HolderRows, link: number): number {
  return link === 0 ? 0 : rows.number(link - 1, excludedSize);
}

function put(rows: HolderRows, link: number, field: Field<'u32'>, value: number): void {
  if (rows.number(link - 1, field) !== value) rows.setNumber(link - 1, field, value);
}

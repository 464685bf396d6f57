/** A part of a whole as people read it: `0.3` is `30.0 %`. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** A number of things: `1 wallet`, `3 wallets`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

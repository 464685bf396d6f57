/** Formats a share as a percentage: `0.3` is `30.0 %`. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Formats a count with its noun: `1 wallet`, `3 wallets`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Name of the stream of off-chain data that belongs to a stream of steps. */
export function offchainStreamOf(stream: string): string {
  return `${stream}-offchain`;
}

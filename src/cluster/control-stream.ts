/** Name of the stream of changes of the control plane that belongs to a stream of steps. */
export function controlStreamOf(stream: string): string {
  return `${stream}-control`;
}

/** The command line or its folder is refused. The message is a sentence for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What the public API answered to one GET request. */
export interface ApiAnswer {
  readonly status: number;
  /** The JSON body. */
  readonly text: string;
  /** Value of a header by its lower-case name; null if it is absent. */
  header(name: string): string | null;
}

/**
 * Asks the public API with the key of whoever called the tool. `path` includes the query. Throws
 * ToolRefusal if there is no answer.
 */
export type AskApi = (path: string, signal?: AbortSignal) => Promise<ApiAnswer>;

/** A tool has no answer. The message is one sentence for the model that called it. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
}

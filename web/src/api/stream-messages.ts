/** A message of `/v1/stream` (docs/products/stream.md). */
export interface StreamMessage {
  readonly op?: string;
  readonly id?: string | null;
  readonly seq?: number;
  readonly slot?: number | null | undefined;
  readonly data?: unknown;
  readonly undo?: boolean;
  /** Status of a refusal, as of HTTP. */
  readonly code?: number;
  readonly message?: string;
}

/** Topics of `/v1/stream` (docs/products/stream.md). */
export type Topic =
  | 'pool'
  | 'token'
  | 'wallet'
  | 'trades'
  | 'candles'
  | 'indicators'
  | 'findings'
  | 'new_tokens'
  | 'signals'
  | 'triggers'
  | 'rule_hits'
  | 'chain';

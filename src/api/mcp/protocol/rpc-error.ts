export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** A header does not repeat the body, or is missing. */
  headerMismatch: -32_020,
  unsupportedRevision: -32_022,
} as const;

export type RequestId = string | number;

interface RpcErrorOptions {
  /** HTTP status: 200 for an error of a method that was run. */
  readonly status: 200 | 400 | 404 | 500;
  readonly data?: object;
}

/** An error response of JSON-RPC. The message is one sentence and repeats no value of the request. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly status: RpcErrorOptions['status'];
  readonly data: object | undefined;

  constructor(code: number, message: string, { status, data }: RpcErrorOptions) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

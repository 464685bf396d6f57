/** Any failure that this package reports. An aborted signal is thrown as its own reason instead. */
export class MintscopeError extends Error {
  override readonly name: string = 'MintscopeError';
}

/** The service refused: `status` is that of HTTP, the message is the service's sentence. */
export class ApiError extends MintscopeError {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Time after which the service asks to be tried again; null if it named none. */
  readonly retryAfterMs: number | null;
  /** Names the request in the logs of the service; null if the answer had none. */
  readonly requestId: string | null;

  constructor(
    status: number,
    message: string,
    rest: { readonly retryAfterMs?: number | null; readonly requestId?: string | null } = {},
  ) {
    super(message);
    this.status = status;
    this.retryAfterMs = rest.retryAfterMs ?? null;
    this.requestId = rest.requestId ?? null;
  }
}

/** No complete answer came: the connection failed, was cut, or took longer than allowed. */
export class ConnectionError extends MintscopeError {
  override readonly name = 'ConnectionError';
}

/** An answer that the API does not give: not JSON, of another shape, or larger than allowed. */
export class BadAnswerError extends MintscopeError {
  override readonly name = 'BadAnswerError';
}

/** The service has another major version of the API than this package. */
export class VersionError extends MintscopeError {
  override readonly name = 'VersionError';
}

/** Why a delivery of a webhook must not be trusted. */
export type WebhookFault = 'headers' | 'secret' | 'too-old' | 'too-new' | 'signature' | 'body';

/** A delivery that does not come from the service, or not now. Answer it with 401. */
export class WebhookError extends MintscopeError {
  override readonly name = 'WebhookError';
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

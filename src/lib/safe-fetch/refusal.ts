/** Why a request was not sent, or why its answer was not accepted. */
export type RefusalReason =
  /** Not a URL, or a URL without a host. */
  | 'bad-url'
  | 'scheme-not-allowed'
  /** User name or password in the URL. */
  | 'credentials-in-url'
  | 'port-not-allowed'
  /** A name of this machine or of a local network. */
  | 'local-name'
  /** An address, literal or resolved, that is not public. */
  | 'address-not-public'
  | 'name-not-resolved'
  | 'too-many-redirects'
  /** A redirect of a request that must not be repeated, or one without a target. */
  | 'redirect-not-followed'
  | 'connection-failed'
  | 'timed-out'
  | 'headers-too-large'
  | 'body-too-large'
  /** A content coding that was not requested, or more than one. */
  | 'content-coding'
  /** Not HTTP, truncated, or not encoded as declared. */
  | 'broken-answer'
  /** Too many requests wait for the same host. */
  | 'host-busy';

export interface Refusal {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
  /** For logs; may contain untrusted text. */
  readonly detail: string;
}

export function refused(reason: RefusalReason, detail = ''): Refusal {
  return { kind: 'refused', reason, detail: detail.slice(0, 200) };
}

/** Why nothing was fetched, or why a fetch was cut off. */
export type RefusalReason =
  /** Not a URL, or one without a host. */
  | 'bad-url'
  | 'scheme-not-allowed'
  /** Name or password within the URL. */
  | 'credentials-in-url'
  | 'port-not-allowed'
  /** A name of this machine or of a local network. */
  | 'local-name'
  /** An address, written out or resolved, that is not of the open internet. */
  | 'address-not-public'
  | 'name-not-resolved'
  | 'too-many-redirects'
  /** A redirect of a request that must not be sent twice, or one without a target. */
  | 'redirect-not-followed'
  | 'connection-failed'
  | 'timed-out'
  | 'headers-too-large'
  | 'body-too-large'
  /** A content coding that was not asked for, or several. */
  | 'content-coding'
  /** Not HTTP, cut off in the middle, or not what its coding says. */
  | 'broken-answer'
  /** Too many requests wait for the same host. */
  | 'host-busy';

export interface Refusal {
  readonly kind: 'refused';
  readonly reason: RefusalReason;
  /** For a log; may hold text of strangers. */
  readonly detail: string;
}

export function refused(reason: RefusalReason, detail = ''): Refusal {
  return { kind: 'refused', reason, detail: detail.slice(0, 200) };
}

import { signal } from '@preact/signals';

/** Whether the page may read: asking at the start, open with a session, or without a valid one. */
export type SessionState = 'asking' | 'open' | 'needs key';

/** Of this page; a refused session that cannot be begun again sets it to "needs key". */
export const session = signal<SessionState>('asking');

let beginAgain: () => Promise<boolean> = () => Promise.resolve(false);
let renewal: Promise<boolean> | null = null;

/** Sets how a session is begun again without a key; it resolves to false where a key is needed. */
export function setRenewal(begin: () => Promise<boolean>): void {
  beginAgain = begin;
}

/**
 * The service refused the session, as after its restart, which ends all sessions. Begins another one
 * if that needs no key, so that the page goes on; otherwise asks for a key. All requests that were
 * refused wait for one renewal.
 */
export function renewSession(): Promise<boolean> {
  renewal ??= renew().finally(() => {
    renewal = null;
  });
  return renewal;
}

async function renew(): Promise<boolean> {
  // Before the page is open, a refusal is an answer; after it was left, it is expected.
  if (session.peek() !== 'open') return false;
  const isOpen = await beginAgain();
  if (!isOpen) session.value = 'needs key';
  return isOpen;
}

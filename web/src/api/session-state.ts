import { signal } from '@preact/signals';

/** Whether the page may read: asking at the start, open with a session, or without a valid one. */
export type SessionState = 'asking' | 'open' | 'needs key';

/** Of this page; a 401 of any request sets it to "needs key". */
export const session = signal<SessionState>('asking');

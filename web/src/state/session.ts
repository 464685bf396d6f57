import { signal } from '@preact/signals';
import { get, isFailure, send } from '../api/client.ts';
import { delay } from '../api/delay.ts';
import { session, setRenewal } from '../api/session-state.ts';
import { showFreshness } from './freshness.ts';

/** What the key of the session may do; empty without a session. */
export const scopes = signal<readonly string[]>([]);

/**
 * Opens the page: with the session that its cookie carries, otherwise, on the machine of a simulated
 * market, with one that needs no key. Sets `session` to "needs key" without either.
 */
export async function openSession(): Promise<void> {
  setRenewal(beginWithoutKey);
  const isOpen = (wasOpen() && (await readScopes())) || (await openWithoutKey());
  remember(isOpen);
  session.value = isOpen ? 'open' : 'needs key';
}

async function openWithoutKey(): Promise<boolean> {
  return (await beginWithoutKey()) && (await readScopes());
}

const ATTEMPTS_MAX = 5;
const PAUSE_MS = 1_000;

/** Begins a session on the machine of a simulated market; false where a key is needed. */
async function beginWithoutKey(): Promise<boolean> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const status = await statusOfBeginning();
    if (status !== 429 && status !== 503) return status >= 200 && status < 300;
    await delay(PAUSE_MS);
  }
  return false;
}

/** Not through the client, which begins refused sessions again by this. */
async function statusOfBeginning(): Promise<number> {
  try {
    return (await fetch('/v1/session/simulated', { method: 'POST' })).status;
  } catch {
    return 0;
  }
}

/** Begins a session with a key. Returns why it was refused; null if it began. */
export async function enterKey(key: string): Promise<string | null> {
  const refusal = await postKey(key.trim());
  if (refusal !== null) return refusal;
  await readScopes();
  remember(true);
  session.value = 'open';
  return null;
}

/** Ends the session of this browser. */
export async function endSession(): Promise<void> {
  await send('DELETE', '/v1/session');
  scopes.value = [];
  remember(false);
  session.value = 'needs key';
}

async function postKey(key: string): Promise<string | null> {
  // A header must be printable ASCII; other text cannot be a key.
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) return 'This is not a key.';
  try {
    const response = await fetch('/v1/session', { method: 'POST', headers: { 'x-api-key': key } });
    if (response.ok) return null;
    const { message } = (await response.json()) as { message: string };
    return response.status === 401 ? 'This key is not valid.' : message;
  } catch {
    return 'The service does not answer.';
  }
}

/** False without a valid session. */
async function readScopes(): Promise<boolean> {
  const answer = await get('/v1/key', {});
  if (isFailure(answer)) return false;
  scopes.value = answer.ok.scopes;
  showFreshness(answer);
  return true;
}

/** The cookie cannot be read: what is remembered is only that there was one, not the key. */
const REMEMBERED = 'mintscope-session';

function wasOpen(): boolean {
  return localStorage.getItem(REMEMBERED) !== null;
}

function remember(isOpen: boolean): void {
  if (isOpen) localStorage.setItem(REMEMBERED, 'open');
  else localStorage.removeItem(REMEMBERED);
}

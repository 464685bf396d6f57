import type { IncomingMessage } from 'node:http';
import type { ApiDeps } from '../../../src/api/deps.ts';
import type { Operation } from '../api-fuzz/operations.ts';
import { address } from '../build-transaction.ts';
import { READ_KEY } from '../fake-api-deps.ts';
import {
  type Attempt,
  type PreparedService,
  type Recipe,
  withBody,
  withHeaders,
  withoutHeaders,
  withQuery,
} from './attempt.ts';
import { LOCAL_PAGE } from './sound-requests.ts';

export const UNKNOWN_ADDRESS = address('unknown');
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

export const isWebSocket = ({ answers }: Operation) => '101' in answers;

export const asIs: Recipe = (sound) => sound;

/** Other dependencies for one request. */
export const given = (deps: Partial<ApiDeps>): Recipe => {
  return (sound) => ({ ...sound, given: deps });
};

export const ask = (query: Readonly<Record<string, string | null>>): Recipe => {
  return (sound) => withQuery(sound, query);
};

export const send = (fields: object): Recipe => {
  return (sound) => withBody(sound, fields);
};

/** The same request about a resource that does not exist. */
export const elsewhere: Recipe = (sound, { path }) => {
  const [pathname = '', query = ''] = sound.url.split('?');
  const segments = path.split('/');
  const other = pathname.split('/').map((part, index) => {
    const segment = segments[index] ?? '';
    if (segment === '{row_id}') return '999';
    if (segment === '{id}' || segment === '{delivery_id}') return UNKNOWN_ID;
    return segment.startsWith('{') ? UNKNOWN_ADDRESS : part;
  });
  const parameters = new URLSearchParams(query);
  for (const name of ['token_address', 'pair_address', 'symbol']) {
    if (parameters.has(name)) parameters.set(name, UNKNOWN_ADDRESS);
  }
  const text = parameters.toString();
  return { ...sound, url: text === '' ? other.join('/') : `${other.join('/')}?${text}` };
};

/** A session of the browser in the place of the key. */
export const inSession: Recipe = (sound, _, stage) => {
  const begun = stage.app.browser.sessions.begin('account of reader', READ_KEY);
  if (begun === null) throw new Error('the service begins no session');
  const cookie = `mintscope_session=${begun.secret}`;
  return withHeaders(withoutHeaders(sound, 'x-api-key'), { ...LOCAL_PAGE, cookie });
};

/** The same from a page of another origin. */
export const fromForeignPage: Recipe = async (sound, operation, stage) =>
  withHeaders(await inSession(sound, operation, stage), { origin: 'https://other.example' });

/** As the upgrade that it is. */
export const upgraded = (sound: Attempt): Attempt =>
  withHeaders(sound, {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  });

/** Takes as many as there are; returns what gives them back. */
function exhaust(take: (account: string) => (() => void) | null): () => void {
  const taken: (() => void)[] = [];
  for (let account = 0; ; account++) {
    const giveBack = take(`account ${account}`);
    if (giveBack === null) break;
    taken.push(giveBack);
  }
  return () => {
    for (const giveBack of taken) giveBack();
  };
}

export const whileStreamsAreFull: Recipe = (sound, operation) => ({
  ...(isWebSocket(operation) ? upgraded(sound) : sound),
  prepare: ({ streamLimit }) =>
    exhaust((account) => {
      try {
        return streamLimit.enter(account);
      } catch {
        return null;
      }
    }),
});

export const whileSessionsAreFull: Recipe = (sound) => ({
  ...sound,
  prepare: ({ app: { browser } }: PreparedService) =>
    exhaust((account) => {
      const begun = browser.sessions.begin(account, READ_KEY);
      return begun === null ? null : () => browser.sessions.end(begun.secret);
    }),
});

export const whileTicketsAreFull: Recipe = (sound) => ({
  ...sound,
  prepare: ({ app: { browser } }: PreparedService) =>
    exhaust((account) => {
      const presented = { text: READ_KEY, session: null, isOpen: () => true };
      const issued = browser.tickets.issue(account, presented);
      if (issued === null) return null;
      // Spent like one that a client uses.
      const url = `/v1/stream?ticket=${issued.secret}`;
      return () => browser.tickets.moveKeyToHeader({ url, headers: {} } as IncomingMessage);
    }),
});

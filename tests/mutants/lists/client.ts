/** Defects of the TypeScript client. */
import type { Mutant } from '../mutant.ts';

const STREAM = ['clients/typescript/src/stream.test.ts'];
const WEBHOOK = ['clients/typescript/src/webhook.test.ts'];
const REQUESTS = ['clients/typescript/src/client.test.ts'];

export const CLIENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'client-does-not-resume',
    file: 'clients/typescript/src/stream-session.ts',
    find: '(position === null ? {} : { since: position })',
    replace: '{}',
    tests: STREAM,
    testName: 'loses nothing',
    isKilledByTimeout: true,
    harm: 'Messages that come while the connection is lost are never received.',
  },
  {
    name: 'client-doubles-messages',
    file: 'clients/typescript/src/stream-session.ts',
    find: 'seq <= open.position) return',
    replace: 'seq < 0) return',
    tests: STREAM,
    harm: 'A message that is sent twice is handled twice.',
  },
  {
    name: 'client-drops-what-follows-a-clock-step',
    file: 'clients/typescript/src/stream-session.ts',
    find: 'isBehind ? fromSeq - 1 : toSeq',
    replace: 'toSeq',
    tests: STREAM,
    testName: 'memory of the service',
    isKilledByTimeout: true,
    harm: 'After the clock of the service went back, nothing is received any more.',
  },
  {
    name: 'client-trusts-silence',
    file: 'clients/typescript/src/stream-socket.ts',
    find: 'silentMs >= this.settings.silenceMs',
    replace: 'silentMs < 0',
    tests: STREAM,
    testName: 'other side is gone',
    isKilledByTimeout: true,
    harm: 'A connection whose other side is gone is waited for without an end.',
  },
  {
    name: 'client-takes-old-webhooks',
    file: 'clients/typescript/src/webhook.ts',
    find: 'aheadSeconds < -toleranceSeconds',
    replace: 'aheadSeconds < -1e12',
    tests: WEBHOOK,
    harm: 'A recorded delivery can be sent again at any time.',
  },
  {
    name: 'client-follows-redirects',
    file: 'clients/typescript/src/http.ts',
    find: "redirect: 'error'",
    replace: "redirect: 'follow'",
    tests: REQUESTS,
    harm: 'The key is sent to wherever a redirect leads.',
  },
  {
    name: 'client-repeats-changes',
    file: 'clients/typescript/src/http.ts',
    find: "if (method !== 'GET') return false;",
    replace: '',
    tests: REQUESTS,
    harm: 'A change is made twice when its answer is lost.',
  },
];

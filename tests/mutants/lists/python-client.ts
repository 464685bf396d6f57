/** Defects of the Python client, and of the versions that are said. */
import type { Mutant } from '../mutant.ts';

const TESTS = ['tests/acceptance/python-client.test.ts'];
const SOURCE = 'clients/python/src/mintscope_client';

export const PYTHON_CLIENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'python-client-does-not-resume',
    file: `${SOURCE}/stream.py`,
    find: '"since": session.position}',
    replace: '"since": None}',
    tests: TESTS,
    testName: 'test_stream_lies',
    harm: 'Messages that come while the connection is lost are never received.',
  },
  {
    name: 'python-client-doubles-messages',
    file: `${SOURCE}/stream_session.py`,
    find: 'self.position is not None and seq <= self.position:',
    replace: 'self.position is not None and seq < 0:',
    tests: TESTS,
    testName: 'test_stream_lies',
    harm: 'A message that is sent twice is handled twice.',
  },
  {
    name: 'python-client-reads-without-a-deadline',
    file: `${SOURCE}/connection.py`,
    find: `        self._raw.settimeout(self._limits.seconds_left())
        try:
            size`,
    replace: `        self._raw.settimeout(1)
        try:
            size`,
    tests: TESTS,
    testName: 'test_lies',
    isKilledByTimeout: true,
    harm: 'An answer that drips is waited for without an end.',
  },
  {
    name: 'python-client-reads-floats',
    file: `${SOURCE}/wire_json.py`,
    find: 'parse_float=Decimal, ',
    replace: '',
    tests: TESTS,
    testName: 'test_requests',
    harm: 'Numbers with a fraction lose digits.',
  },
  {
    name: 'python-client-repeats-changes',
    file: `${SOURCE}/http.py`,
    find: 'if method != "GET":',
    replace: 'if method == "":',
    tests: TESTS,
    testName: 'test_requests',
    harm: 'A change is made twice when its answer is lost.',
  },
  {
    name: 'python-client-takes-old-webhooks',
    file: `${SOURCE}/webhook.py`,
    find: 'ahead_seconds < -tolerance_seconds',
    replace: 'ahead_seconds < -1e12',
    tests: TESTS,
    testName: 'test_values',
    harm: 'A recorded delivery can be sent again at any time.',
  },
  {
    name: 'deprecation-of-a-parameter-announced-to-all',
    file: 'src/api/http/deprecation.ts',
    find: 'ofParameters.filter(({ name }) => Object.hasOwn(query, name))',
    replace: 'ofParameters',
    tests: ['src/api/http/deprecation.test.ts'],
    harm: 'Clients that do not use what will go are asked to change.',
  },
];

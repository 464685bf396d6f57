import type { Mutant } from '../mutant.ts';

const HOSTILE = 'tests/conformance/mcp-hostile-texts.test.ts';
const ROUTE = 'src/api/routes/mcp.test.ts';

export const AGENTS_MUTANTS: readonly Mutant[] = [
  {
    name: 'page-of-a-rebound-name-calls-tools',
    file: 'src/api/routes/mcp.ts',
    find: 'isSameOrigin(request) && isForLoopback(request)',
    replace: 'isSameOrigin(request)',
    tests: [ROUTE],
    harm: 'A page whose name leads to this machine uses the tools.',
  },
  {
    name: 'header-may-name-another-tool',
    file: 'src/api/mcp/protocol/mirrored-headers.ts',
    find: "  if (typeof name === 'string') assertSame('Mcp-Name', decoded(headers['mcp-name']), name);\n",
    replace: '',
    tests: [ROUTE],
    harm: 'A proxy that decides by the header lets through what it forbids.',
  },
  {
    name: 'misspelt-arguments-are-ignored',
    file: 'src/api/mcp/tools/arguments.ts',
    find: 'if (unknown !== undefined) throw',
    replace: 'if (unknown === null) throw',
    tests: [ROUTE],
    harm: 'A misspelt argument answers another question.',
  },
  {
    name: 'text-of-strangers-is-not-escaped',
    file: 'src/api/mcp/answer/untrusted-text.ts',
    find: 'const safe = displayText(text.slice(0, lengthMax + 1));',
    replace: 'const safe = text.slice(0, lengthMax + 1);',
    tests: [HOSTILE],
    harm: 'Hidden letters and reversed text reach a model.',
  },
  {
    name: 'text-of-strangers-is-not-marked',
    file: 'src/api/mcp/tools/search.ts',
    find: '    ...untrusted({ name: row.name, symbol: row.symbol }),\n',
    replace: '    name: row.name,\n    symbol: row.symbol,\n',
    tests: [HOSTILE],
    harm: 'A name that gives orders stands among the figures of the service.',
  },
  {
    name: 'long-answers-are-not-shortened',
    file: 'src/api/mcp/answer/write-answer.ts',
    find: 'if (estimateTokens(text) <= tokensMax) return text;',
    replace: 'if (text.length > 0) return text;',
    tests: ['src/api/mcp/answer/write-answer.test.ts'],
    harm: 'One answer fills the context of a model.',
  },
  {
    name: 'oldest-part-of-an-answer-is-not-told',
    file: 'src/api/mcp/answer/answer-reader.ts',
    find: 'slots.length === 0 ? null : Math.min(...slots)',
    replace: 'slots.length === 0 ? null : Math.max(...slots)',
    tests: ['src/api/mcp/answer/answer-reader.test.ts'],
    harm: 'An answer seems newer than a part of it.',
  },
];

import { describe, expect, test } from 'vitest';
import { buildClassification } from '../../../tests/support/build-classification.ts';
import { buildListing } from '../../../tests/support/build-signal.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { fakeToken, fakeWallet, withHolders } from '../../../tests/support/fake-api-deps.ts';
import { presentCheck } from '../../api/present/present-classification.ts';
import { presentSignal } from '../../api/present/present-signal.ts';
import { TokenBody } from '../../api/present/token-body.ts';
import { WalletBody } from '../../api/present/wallet-body.ts';
import { displayWidth } from '../../lib/terminal/display-width.ts';
import { NO_STYLE } from '../../lib/terminal/terminal.ts';
import { NO_OFFCHAIN_FACTS } from '../../model/off-chain.ts';
import { asRawAmount } from '../../model/units.ts';
import { fraudLines } from './fraud-lines.ts';
import { signalsLines } from './signals-lines.ts';
import { tokenLines } from './token-lines.ts';
import { walletLines } from './wallet-lines.ts';

const MINT = address('mint');
const RANGE = { from_date: '2025-01-15T00:00:00.000Z', to_date: '2025-01-16T00:00:00.000Z' };
const REASON =
  'All of them bought within the slot of the launch, and sold to the same wallet later.';

function tokenBody(name: string) {
  const token = fakeToken({ mint: MINT, name, symbol: 'CAT', decimals: 6 });
  const balanceRaw = asRawAmount(1_234_567_890n);
  const holder = { owner: address('holder'), balanceRaw, isPool: false, firstSeenMs: null };
  const found = withHolders(token, [holder as never]);
  if (found === null) throw new Error('there is no token');
  return TokenBody.present({ ...found, facts: NO_OFFCHAIN_FACTS }, 6);
}

function fraudBody() {
  const { finding } = buildClassification();
  const [first] = finding.evidence;
  if (first === undefined) throw new Error('the finding has no evidence');
  const evidence = [{ ...first, description: REASON }];
  const classification = buildClassification({ finding: { evidence } });
  return presentCheck(MINT, [{ classification, status: 'active' }]);
}

const signal = presentSignal(buildListing({ symbol: '狗狗币' }), { imageOf: () => null });
const signals = { ...RANGE, model_name: null, count: 1, signals: [signal] };

describe.each([80, 120])('on a terminal of %i columns', (columns) => {
  const page = { columns, style: NO_STYLE };
  const answers: readonly (readonly [string, readonly string[]])[] = [
    ['a token', tokenLines(tokenBody('Cat Coin'), page)],
    ['a token with a long name', tokenLines(tokenBody('狗'.repeat(200)), page)],
    ['a wallet', walletLines(WalletBody.present(fakeWallet()), page)],
    ['a check of a token', fraudLines(fraudBody(), page)],
    ['signals', signalsLines(signals, page)],
  ];

  test.each(answers)('%s has no line that is wider', (_, lines) => {
    expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
  });

  test('addresses are whole, so that they can be copied', () => {
    expect(tokenLines(tokenBody('Cat'), page).join('\n')).toContain(MINT);
    expect(tokenLines(tokenBody('Cat'), page).join('\n')).toContain(address('holder'));
    expect(signalsLines(signals, page).join('\n')).toContain(signal.token_address);
  });

  test('a reason is wrapped below itself and complete', () => {
    const lines = fraudLines(fraudBody(), page);
    const at = lines.findIndex((line) => line.startsWith('- All of them'));
    const rest = lines.slice(at + 1).filter((line) => line.startsWith('  '));
    expect([lines[at], ...rest].join(' ').replace(/ +/g, ' ')).toBe(`- ${REASON}`);
    expect(rest.length > 0).toBe(REASON.length + 2 > columns);
  });
});

test('signals are a table where it fits, and a block each where it does not', () => {
  const wide = signalsLines(signals, { columns: 160, style: NO_STYLE });
  const head = wide.find((line) => line.startsWith('issued'));
  expect(head).toMatch(/^issued +model +market cap +to highest +token +symbol$/);
  const narrow = signalsLines(signals, { columns: 80, style: NO_STYLE });
  expect(narrow).toContain(`token       ${signal.token_address}`);
  expect(narrow).toContain('symbol      狗狗币');
});

test('an amount is shown with its decimals, the pool of a holder as such', () => {
  const lines = tokenLines(tokenBody('Cat'), { columns: 80, style: NO_STYLE });
  expect(lines.at(-1)).toMatch(new RegExp(`^${address('holder')} +1234\\.567890$`));
});

test('empty lists say so', () => {
  const page = { columns: 80, style: NO_STYLE };
  const none = { ...RANGE, model_name: null, count: 0, signals: [] };
  expect(signalsLines(none, page).join(' ')).toBe(
    'There are no signals from 2025-01-15 00:00:00Z to 2025-01-16 00:00:00Z.',
  );
  expect(fraudLines({ classifications: [], next_cursor: null }, page)).toEqual([
    'There are no findings.',
  ]);
});

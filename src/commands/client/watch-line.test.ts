import { expect, test } from 'vitest';
import { buildTrade } from '../../../tests/support/build-trade.ts';
import { fakeCandle, SLOT_TIME_MS } from '../../../tests/support/fake-api-deps.ts';
import { presentCandle } from '../../api/present/present-candle.ts';
import { TradeItem } from '../../api/present/trade-body.ts';
import { displayWidth } from '../../lib/terminal/display-width.ts';
import { NO_STYLE } from '../../lib/terminal/terminal.ts';
import { STREAM_TOPICS } from '../../model/slot-frame.ts';
import { type StreamMessage, watchLines } from './watch-line.ts';

function linesOf(message: Partial<StreamMessage>, columns = Number.POSITIVE_INFINITY): string[] {
  const whole = { topic: 'chain', seq: 1, slot: 7, data: null, isUndo: false, ...message } as const;
  return watchLines(whole, { columns, style: NO_STYLE });
}

test('a trade says side, amount, token, value and wallet', () => {
  const data = TradeItem.present(buildTrade());
  const [line] = linesOf({ topic: 'trades', data });
  expect(line).toMatch(/^7 trades {2}/);
  for (const value of [data.side, data.token_amount, data.token_address, data.wallet_address]) {
    expect(line).toContain(String(value));
  }
});

test('a candle says its four prices', () => {
  const data = presentCandle(fakeCandle(SLOT_TIME_MS), 'price_usd');
  const [line] = linesOf({ topic: 'candles', data });
  for (const value of [data.open, data.high, data.low, data.close])
    expect(line).toContain(`$${value}`);
});

test('a signal says its model, or its rule', () => {
  const figures = { token_address: 'Token', signal_market_cap: '5.00', symbol: 'T' };
  const ofModel = {
    topic: 'signals',
    data: { ...figures, model_name: 'organic_momentum' },
  } as const;
  expect(linesOf(ofModel)[0]).toContain('organic_momentum in Token');
  const ofRule = { topic: 'signals', data: { ...figures, rule_id: 'dip@1+ab' } } as const;
  expect(linesOf(ofRule)[0]).toContain('dip@1+ab in Token');
});

test('what a fork takes back is said', () => {
  expect(linesOf({ isUndo: true })[0]).toMatch(/^7 chain {2}taken back: /);
});

test.each([80, 120])('at %i columns, every topic keeps to the width and whole words', (columns) => {
  for (const topic of STREAM_TOPICS) {
    const address = 'A'.repeat(44);
    const names = ['token_address', 'pair_address', 'wallet_address', 'creator_address'];
    const fields = Object.fromEntries(names.map((name) => [name, address]));
    const data = { ...fields, token: { ...fields, symbol: '狗狗币', name: 'a b c' } };
    const lines = linesOf({ topic, data }, columns);
    expect(lines.every((line) => displayWidth(line) <= columns)).toBe(true);
    expect(lines.join(' ').replace(/ +/g, ' ')).toBe(
      linesOf({ topic, data }).join(' ').replace(/ +/g, ' '),
    );
  }
});

test('hostile or missing data is shown as text, never obeyed', () => {
  const hostile = '\u001b[2J\nmintscope: safe\u202e';
  for (const topic of STREAM_TOPICS) {
    for (const data of [
      null,
      'text',
      [],
      { token: hostile },
      { token: { name: hostile, symbol: [1] } },
    ]) {
      const lines = linesOf({ topic, data });
      expect(lines).toHaveLength(1);
      expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(lines[0]).toMatch(new RegExp(`^7 ${topic}  \\S`));
    }
  }
});

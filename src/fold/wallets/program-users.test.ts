import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { sumsOf } from '../../../tests/support/page-sums.ts';
import { walletStage, walletTrade } from '../../../tests/support/wallet-stage.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import { ProgramUsers, type ReleasedTrades } from './program-users.ts';

const KNOWN = address('known');
const OWN = address('own program');
const OTHER = address('other program');

function users(undo = new UndoLog()) {
  const ids = new AddressIds<Address>(undo);
  const programs = new ProgramUsers({ ids, knownPrograms: new Set([KNOWN]) }, undo);
  const released: ReleasedTrades[] = [];
  const trade = (wallet: number, ...programIds: (typeof OWN)[]) =>
    programs.applyTrade(wallet, programIds, (each) => released.push(each));
  return { programs, released, trade };
}

describe('an unknown program', () => {
  test('is private up to 20 wallets and public from the 21st', () => {
    const { trade, released, programs } = users();
    for (let wallet = 0; wallet < 20; wallet++) expect(trade(wallet, OWN)).toBe(true);
    expect([programs.userCount(OWN), released]).toEqual([20, []]);
    expect(trade(20, OWN)).toBe(false);
    expect(trade(0, OWN)).toBe(false);
    expect(programs.userCount(OWN)).toBeNull();
  });

  test('releases the trades of its wallets when it becomes public', () => {
    const { trade, released } = users();
    for (let at = 0; at < 3; at++) trade(0, OWN);
    for (let wallet = 1; wallet <= 20; wallet++) trade(wallet, OWN);
    expect(released[0]).toEqual({ wallet: 0, trades: 3 });
    expect(released).toHaveLength(20);
  });

  test('counts a trade through two such programs once', () => {
    const { trade, released } = users();
    expect(trade(0, KNOWN, OTHER, OWN)).toBe(true);
    for (let wallet = 1; wallet <= 20; wallet++) trade(wallet, OTHER);
    for (let wallet = 1; wallet <= 20; wallet++) trade(wallet, OWN);
    expect(released.filter(({ wallet }) => wallet === 0)).toEqual([{ wallet: 0, trades: 1 }]);
  });
});

test('known programs are never private', () => {
  const { trade, programs } = users();
  expect(trade(0, KNOWN)).toBe(false);
  expect(programs.size).toBe(0);
});

test('a program that became public is private again after undo', () => {
  const undo = new UndoLog(1);
  const { trade, programs } = users(undo);
  for (let wallet = 0; wallet < 20; wallet++) trade(wallet, OWN);
  const before = sumsOf(undo.pages);
  undo.open();
  trade(20, OWN);
  trade(5, OTHER);
  undo.close();
  expect([programs.userCount(OWN), programs.userCount(OTHER)]).toEqual([null, 1]);
  undo.undo();
  expect([programs.userCount(OWN), programs.userCount(OTHER)]).toEqual([20, null]);
  expect(sumsOf(undo.pages)).toEqual(before);
});

test('trades through a private program count until it has 21 users', () => {
  const { book, wallet } = walletStage();
  const through = { programIds: [OWN] };
  for (let at = 0; at < 4; at++) book.applyTrade(wallet(), walletTrade(at * 500, through));
  const share = () => book.profile(wallet())?.features.privateTrades;
  expect(share()).toBe(4);
  for (let at = 0; at < 20; at++)
    book.applyTrade(wallet(`user ${at}`), walletTrade(9_000, through));
  expect(share()).toBe(0);
});

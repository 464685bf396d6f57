/**
 * Loaded before a command by `NODE_OPTIONS=--import`: while DAMAGE_FILE exists, the first priced
 * swap of each slot has another amount in memory when it is applied. What is stored stays right.
 */
import { existsSync } from 'node:fs';
import { Engine } from '../../src/engine/engine.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';

const file = process.env.DAMAGE_FILE ?? '';
const { apply } = Engine.prototype;

Engine.prototype.apply = function applyDamaged(facts, options) {
  return apply.call(this, existsSync(file) ? damaged(facts) : facts, options);
};

/** Flips the lowest bit of one amount. */
function damaged(facts: SlotFacts): SlotFacts {
  let isDamaged = false;
  const transactions = facts.transactions.map((transaction) => {
    const events = transaction.events.map((event) => {
      if (event.kind !== 'swap' || event.quarantine !== null || isDamaged) return event;
      isDamaged = true;
      return { ...event, poolQuoteDelta: event.poolQuoteDelta ^ 1n } as typeof event;
    });
    return { ...transaction, events };
  });
  return { ...facts, transactions };
}

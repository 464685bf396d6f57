import { bridgeReading } from './realm/bridge-reading.ts';
import { chargeBuiltIns } from './realm/charge-built-ins.ts';
import { createMeter } from './realm/create-meter.ts';
import { openRealm } from './realm/open-realm.ts';
import { plainText } from './realm/plain-text.ts';
import { runDetector } from './realm/run-detector.ts';
import { takeAway } from './realm/take-away.ts';

/**
 * The text of the functions that run beside the code of a module, within its realm: whatever a
 * module can reach then belongs to that realm. None of them refers to anything but the others.
 */
const FUNCTIONS = [
  openRealm,
  createMeter,
  chargeBuiltIns,
  takeAway,
  bridgeReading,
  plainText,
  runDetector,
];

/** An expression whose value is `openRealm` of the realm in which it is evaluated. */
export const REALM_SOURCE = `(() => { 'use strict';\n${FUNCTIONS.join('\n')}\nreturn openRealm; })()`;

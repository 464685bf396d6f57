import { expect, test } from 'vitest';
import { hex } from '../../../tests/support/borsh-bytes.ts';
import { formOf, parseForms } from './swap-form.ts';

const ACCOUNTS = { pool: 0, vaults: [1, 2], user: 3, userAccounts: [4, 5] } as const;
const ONE = { tag: '0a0b', ...ACCOUNTS };
const OTHER = { tag: '0a', ...ACCOUNTS, pool: 7 };
const FORMS = parseForms([ONE, OTHER]);

test('the first form whose tag matches the data is used', () => {
  expect(formOf(FORMS, hex('0a0b00'))).toBe(ONE);
  expect(formOf(FORMS, hex('0a0c00'))).toBe(OTHER);
  expect(formOf(FORMS, hex('0a'))).toBe(OTHER);
  expect(formOf(FORMS, hex('0b0a'))).toBeNull();
  expect(formOf(FORMS, new Uint8Array(0))).toBeNull();
});

test('a program with obfuscated tags has one form for every instruction', () => {
  const hidden = { tag: '', ...ACCOUNTS };
  expect(formOf(parseForms([hidden]), new Uint8Array(0))).toBe(hidden);
});

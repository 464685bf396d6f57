import { describe, expect, test } from 'vitest';
import { toApiError } from '../api/http/errors.ts';
import { ApiError, ChainError, StoreError, UsageError } from '../model/errors.ts';
import { toError, toFault } from './fault.ts';

describe('an error passed between threads', () => {
  test.each([
    new UsageError('Cannot listen.'),
    new StoreError('The disk is full.'),
    new ChainError('The chain forked.'),
    new RangeError('never'),
  ])('keeps its message and its stack: %s', (error) => {
    const crossed = toError(structuredClone(toFault(error)));
    expect([crossed.message, crossed.stack]).toEqual([error.message, error.stack]);
  });

  test('keeps the class that decides about the process', () => {
    const crossed = [new UsageError(''), new StoreError(''), new ChainError(''), new TypeError('')]
      .map((error) => toError(structuredClone(toFault(error))))
      .map((error) => error.constructor);
    expect(crossed).toEqual([UsageError, StoreError, ChainError, Error]);
  });

  test('keeps the response status: a busy store is 503 on every thread', () => {
    const crossed = toError(structuredClone(toFault(new ApiError(503, 'The store is busy.'))));
    expect(crossed).toBeInstanceOf(ApiError);
    expect(crossed).toMatchObject({ status: 503, message: 'The store is busy.' });
  });

  test('keeps whether it is transient: a full disk is 503 and not a bug', () => {
    const crossed = toError(toFault(new StoreError('The disk is full.', { isTransient: true })));
    expect(toApiError(crossed)).toMatchObject({ status: 503 });
    expect(toApiError(toError(toFault(new StoreError('It is damaged.'))))).toMatchObject({
      status: 500,
    });
    const raw = Object.assign(new Error('full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
    expect(toApiError(toError(structuredClone(toFault(raw))))).toMatchObject({ status: 503 });
  });

  test('may be any thrown value', () => {
    expect(toError(toFault('a word')).message).toBe('a word');
  });
});

import { expect, test } from 'vitest';
import { buildSignalDetail } from '../../../tests/support/build-signal.ts';
import { presentSignalDetail } from './present-signal.ts';
import { NO_IMAGES } from './signal-image.ts';

test('a signal shows the picture of its token, and null where none is known', () => {
  const detail = buildSignalDetail();
  const { mint } = detail.signal;
  const images = { imageOf: (asked: string) => (asked === mint ? 'https://cat.example/p' : null) };
  expect(presentSignalDetail(detail, images).image).toBe('https://cat.example/p');
  expect(presentSignalDetail(detail, NO_IMAGES).image).toBeNull();
});

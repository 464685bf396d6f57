import { describe, expect, test } from 'vitest';
import { MomentClock } from '../../tests/support/moment-clock.ts';

import { Command } from 'commander';
import { UsageError } from '../model/errors.ts';
import { addSettings, settingsOf } from './settings.ts';

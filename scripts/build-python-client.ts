/**
 * Writes what the Python client takes from docs/openapi.json and docs/asyncapi.json into
 * clients/python/src/mintscope_client/generated: the types of bodies and messages, a method for each
 * operation and topic, and the version of the API.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { answerHelp } from './answer-help.ts';
import { type Method, methodsOf, methodText } from './python-client/operations.ts';
import type { AsyncApi, OpenApi } from './python-client/schema.ts';
import { streamMethodsOf } from './python-client/streams.ts';
import { typesModule } from './python-client/types.ts';

answerHelp(`Builds the Python client in clients/python from the documents of the API.

Example:
  npm run client:build:python`);

const GENERATED = resolve('clients/python/src/mintscope_client/generated');
const HEAD = '"""Generated from the documents of the API. Do not edit."""\n';

const openApi: OpenApi = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const asyncApi: AsyncApi = JSON.parse(readFileSync('docs/asyncapi.json', 'utf8'));
const methods = [...methodsOf(openApi), ...streamMethodsOf(asyncApi)];

mkdirSync(GENERATED, { recursive: true });
write('__init__.py', HEAD);
write('version.py', `${HEAD}\nAPI_VERSION = ${JSON.stringify(openApi.info.version)}\n`);
write('api.py', typesModule(openApi.components.schemas));
write('messages.py', typesModule(asyncApi.components.schemas));
write('operations.py', operationsModule('Operations', methods, false));
write('async_operations.py', operationsModule('AsyncOperations', methods, true));

function operationsModule(name: string, all: readonly Method[], isAsync: boolean): string {
  const imports = isAsync
    ? `from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from ..answer import Answer
from ..async_base import AsyncBase, AsyncDownload
from ..stream_events import StreamEvent, StreamSettings
from . import api, messages`
    : `from collections.abc import Generator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from ..answer import Answer
from ..base import Base
from ..cancellation import Cancellation
from ..download import Download
from ..stream_events import StreamEvent, StreamSettings
from . import api, messages`;
  const base = isAsync ? 'AsyncBase' : 'Base';
  const texts = all.map((method) => methodText(method, isAsync));
  return `${HEAD}
from __future__ import annotations

${imports}


class ${name}(${base}):
    """A method for each operation and topic of the API."""

${texts.join('\n\n')}
`;
}

/** Replaces a file that differs, at once: a program that is running may be reading it. */
function write(name: string, text: string): void {
  const path = join(GENERATED, name);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const part = `${path}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, path);
}

import { Command } from 'commander';
import { answerMessage } from '../api/mcp/answer-message.ts';
import { VERSION } from '../config/version.ts';
import { askWithKey } from './client/ask-with-key.ts';
import { answerLines } from './client/mcp-lines.ts';
import {
  addUrlAndKeyOptions,
  type ServiceOptions,
  serviceAddressOf,
} from './client/service-address.ts';

/** `mcp`: answers an agent over standard input and output by asking a running service. */
export function mcpCommand(): Command {
  const command = new Command('mcp').description(
    'Let an agent ask a running service: Model Context Protocol over standard input and output.',
  );
  return addUrlAndKeyOptions(command)
    .addHelpText(
      'after',
      `
The program of the agent starts this command and ends it. Each line is one message. Agents that
speak the protocol over HTTP can use /mcp of the service instead; the tools are the same.

Example, for a program that takes {"mcpServers": …}:
  {"mcpServers": {"mintscope": {"command": "mintscope", "args": ["mcp"],
    "env": {"MINTSCOPE_API_KEY": "…"}}}}

Example, by hand:
  echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | mintscope mcp | jq -r '.result.tools[].name'`,
    )
    .action(async (options: ServiceOptions) => {
      const ask = askWithKey(serviceAddressOf(options));
      const context = { ask, nowMs: () => Date.now(), version: VERSION };
      await answerLines(process.stdin, process.stdout, (text, signal) =>
        answerMessage(text, null, { ...context, signal }),
      );
    });
}

/** What the signals of each model were worth after costs, beside random minutes. */
import { ApiError, MintscopeClient } from 'mintscope-client';

const client = new MintscopeClient({
  baseUrl: process.env.MINTSCOPE_URL ?? 'http://localhost:8080',
  key: process.env.MINTSCOPE_KEY,
});

const [from_date = '2025-01-01'] = process.argv.slice(2);
try {
  const { data } = await client.get('/v1/signals/statistics', { query: { from_date } });
  for (const { model_name, signal_count, median_max_roi } of data.model_breakdown) {
    console.log(
      `${model_name}: ${signal_count} signals, median highest return ${median_max_roi} %`,
    );
  }
  for (const { exit_rule, ticket_usd, median_return, win_rate } of data.execution_statistics) {
    const won = win_rate ?? 'unknown';
    console.log(`${exit_rule} with ${ticket_usd} USD: median ${median_return} %, won ${won}`);
  }
  console.log(`${data.total_signals} signals since ${data.from_date}`);
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.log(`refused with ${error.status}: ${error.message}`);
}

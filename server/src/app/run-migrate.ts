import { loadConfig } from '#platform/config.ts';
import { migrate } from '#platform/migrate.ts';

export async function run(): Promise<void> {
  const config = loadConfig();
  const report = await migrate(config.DATABASE_URL);
  const name = new URL(config.DATABASE_URL).pathname.slice(1);
  if (report.createdDatabase) process.stdout.write(`Created database ${name}.\n`);
  for (const file of report.applied) process.stdout.write(`Applied ${file}.\n`);
  process.stdout.write(`Database ${name} is up to date.\n`);
}

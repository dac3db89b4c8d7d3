import { loadConfig } from '#platform/config.ts';
import { migrate } from '#platform/migrate.ts';
import { loginsOf, makeLogins } from '#platform/service-logins.ts';
import { describeStart } from './report-start.ts';

export async function run(): Promise<void> {
  const config = loadConfig();
  const { start, warnings } = describeStart(config);
  process.stdout.write(`${start}\n`);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const ownerUrl = config.MIGRATE_DATABASE_URL ?? config.DATABASE_URL;
  const report = await migrate(ownerUrl);
  const name = new URL(ownerUrl).pathname.slice(1);
  if (report.createdDatabase) process.stdout.write(`Created database ${name}.\n`);
  for (const file of report.applied) process.stdout.write(`Applied ${file}.\n`);
  if (config.MIGRATE_DATABASE_URL !== undefined) {
    const logins = loginsOf(config);
    await makeLogins(ownerUrl, logins);
    for (const login of logins)
      process.stdout.write(`Login ${login.name} may become ${login.roles.join(' and ')}.\n`);
  }
  process.stdout.write(`Database ${name} is up to date.\n`);
}

import { ConfigError, loadConfig } from '#platform/config.ts';
import { migrate } from '#platform/migrate.ts';
import { sharedPartsOf, writableUrl } from '#platform/postgres-hosts.ts';
import { loginProblems, loginsOf, makeLogins } from '#platform/service-logins.ts';
import { describeStart } from './report-start.ts';

export async function run(): Promise<void> {
  const config = loadConfig();
  const { start, warnings } = describeStart(config);
  process.stdout.write(`${start}\n`);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  const ownerUrl = await writableUrl(config.MIGRATE_DATABASE_URL ?? config.DATABASE_URL, 'postgres');
  const logins = config.MIGRATE_DATABASE_URL === undefined ? [] : loginsOf(config);
  // Everything is checked first: a wrong password must not be found after the tables were changed.
  const problems = await loginProblems(ownerUrl, config, logins);
  if (problems.length > 0)
    throw new ConfigError(
      `Nothing was changed. Correct this first:\n${problems.map((problem) => `✖ ${problem}`).join('\n')}`,
    );
  const report = await migrate(ownerUrl);
  const name = sharedPartsOf(ownerUrl).pathname.slice(1);
  if (report.createdDatabase) process.stdout.write(`Created database ${name}.\n`);
  for (const file of report.applied) process.stdout.write(`Applied ${file}.\n`);
  if (logins.length > 0) {
    await makeLogins(ownerUrl, logins);
    for (const login of logins)
      process.stdout.write(`Login ${login.name} may become ${login.roles.join(' and ')}.\n`);
  }
  process.stdout.write(`Database ${name} is up to date.\n`);
}

export const installHelp = (engine: 'PostgreSQL' | 'Redis'): string =>
  engine === 'PostgreSQL'
    ? `PostgreSQL 15 or newer is neither running on 127.0.0.1:5432 nor installed.
  Debian, Ubuntu:  sudo apt-get install -y postgresql redis-server
  macOS:           brew install postgresql@17 redis
${OTHER_WAYS}`
    : `Redis 7 or newer (or Valkey) is neither running on 127.0.0.1:6379 nor installed.
  Debian, Ubuntu:  sudo apt-get install -y redis-server
  macOS:           brew install redis
${OTHER_WAYS}`;

const OTHER_WAYS = `  Elsewhere:       set DATABASE_URL and REDIS_URL to servers of yours
  With Docker:     docker compose -f compose.yaml -f compose.demo.yaml up --build
Then run this again.`;

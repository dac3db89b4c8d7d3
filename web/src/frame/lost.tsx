import { Link } from '../navigation/link.tsx';
import css from './lost.module.css';
import { useTitle } from './title.ts';

export function Lost() {
  useTitle('Nothing here');
  return (
    <section>
      <h1 className={css.title}>There is nothing at this address</h1>
      <p>
        Indicators are at <code>/app/ip/…</code>, <code>/app/domain/…</code>, <code>/app/url/…</code> and{' '}
        <code>/app/hash/…</code>. <Link to="/">Check something</Link>
      </p>
    </section>
  );
}

import { ROLE_MAY, ROLE_WORDS, type Role } from './organization-words.ts';

export const RoleField = ({ roles, chosen }: { roles: readonly Role[]; chosen: string }) => (
  <>
    <label htmlFor="role">Role</label>
    <select id="role" name="role" defaultValue={chosen}>
      {roles.map((role) => (
        <option key={role} value={role}>
          {ROLE_WORDS[role]}: {ROLE_MAY[role]}
        </option>
      ))}
    </select>
  </>
);

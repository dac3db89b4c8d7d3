-- Why: row-level security is void for superusers and table owners, so the service works through two roles that
-- own nothing (foundation rule 2). Size: none. Lock: none that a reader would notice.
do $$
declare
  wanted text;
begin
  -- Roles belong to the whole server: several databases may create them at the same moment.
  foreach wanted in array array['assay_app', 'assay_system'] loop
    if not exists (select 1 from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin nosuperuser nobypassrls nocreatedb nocreaterole', wanted);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    -- The login user must be able to become either role; superusers already can.
    if not pg_has_role(current_user, wanted, 'member') then
      execute format('grant %I to current_user', wanted);
    end if;
  end loop;
end
$$;

grant usage on schema public to assay_app, assay_system;
grant select on schema_migration to assay_app, assay_system;

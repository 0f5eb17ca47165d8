/** Part of an `Actor` (`platform/auth/`): the data that it can access, and its identity and request. */
export interface LoggedActor {
  organization_id: string;
  project_ids: string[] | null;
  type: string;
  id: string | null;
  name: string;
  via: string | null;
  request_id: string | null;
}

/** What the log needs of an `Actor` (`platform/auth/`): what it can access, and what identifies it and its request. */
export interface LoggedActor {
  organization_id: string;
  project_ids: string[] | null;
  type: string;
  id: string | null;
  name: string;
  via: string | null;
  request_id: string | null;
}

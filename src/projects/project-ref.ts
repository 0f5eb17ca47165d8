/** A project and its organization: whose a resource is. */
export interface ProjectRef {
  organization_id: string;
  project_id: string;
}

// Shows openapi.json by Swagger UI. Nothing is asked of another host, and a key that is typed in is not kept.
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});

{{- define "mintscope.selector" -}}
app.kubernetes.io/name: mintscope
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "mintscope.labels" -}}
{{ include "mintscope.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "mintscope.name" -}}
{{ .Release.Name }}-mintscope
{{- end -}}

{{- /* Pods that fold, each with a volume of its own: root, name, component, selector (labels), replicas, args (after "start"), environment. */ -}}
{{- define "mintscope.replicas" -}}
{{- $root := .root -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .name }}
  labels:
    {{- include "mintscope.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  # One writer owns a data folder: each replica has a volume of its own.
  replicas: {{ .replicas }}
  serviceName: {{ .name }}
  selector:
    matchLabels:
      {{- .selector | nindent 6 }}
  template:
    metadata:
      labels:
        {{- .selector | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
        app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
    spec:
      automountServiceAccountToken: false
      # Kubernetes would add variables such as MINTSCOPE_PORT for each Service, which are settings.
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $root.Values.terminationGracePeriodSeconds }}
      {{- with $root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: mintscope
          image: "{{ $root.Values.image.repository }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}"
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args:
            - start
            {{- range .args }}
            - {{ . }}
            {{- end }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
          env:
            - name: MINTSCOPE_PORT
              value: "8080"
            - name: MINTSCOPE_GRPC_PORT
              value: "9090"
            # A folder below the volume, whose own root belongs to the system.
            - name: MINTSCOPE_DATA_DIR
              value: /data/mintscope
            - name: MINTSCOPE_OPEN_OPS
              value: {{ $root.Values.openOps | quote }}
            # Stays the same when the pod is replaced: a replica has one vote.
            - name: MINTSCOPE_REPLICA_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            {{- range $name, $value := .environment }}
            - name: {{ $name }}
              value: {{ $value | quote }}
            {{- end }}
            {{- range $name, $value := $root.Values.settings }}
            - name: {{ $name }}
              value: {{ $value | quote }}
            {{- end }}
          {{- with $root.Values.existingSecret }}
          envFrom:
            - secretRef:
                name: {{ . }}
          {{- end }}
          ports:
            - name: http
              containerPort: 8080
            - name: grpc
              containerPort: 9090
          # Answers as soon as the service listens, also while it applies the stored log.
          startupProbe:
            httpGet:
              path: /livez
              port: http
            periodSeconds: 10
            failureThreshold: {{ $root.Values.startupFailures }}
          livenessProbe:
            httpGet:
              path: /livez
              port: http
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet:
              path: /readyz
              port: http
            periodSeconds: 5
            timeoutSeconds: 5
          resources:
            {{- toYaml $root.Values.resources | nindent 12 }}
          volumeMounts:
            - name: data
              mountPath: /data
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: tmp
          emptyDir:
            sizeLimit: 256Mi
      {{- with $root.Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $root.Values.persistence.storageClassName }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests:
            storage: {{ $root.Values.persistence.size }}
{{- end -}}
